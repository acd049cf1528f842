/* Predefined handles. In Open MPI they are addresses in libmpi, which this library does not link: programs without an
 * MPI load it too. */
#ifndef STOWAGE_PREDEFINED_H
#define STOWAGE_PREDEFINED_H

#include "next.h"

#include <mpi.h>

#ifdef OPEN_MPI
/* A handle by the name of what it is the address of. */
#define OBJECT(handle, name) ((handle)LOOKED_UP(shared_object, name))
#define PREDEFINED_BYTE OBJECT(MPI_Datatype, "ompi_mpi_byte")
#define PREDEFINED_CHAR OBJECT(MPI_Datatype, "ompi_mpi_char")
#define PREDEFINED_SHORT OBJECT(MPI_Datatype, "ompi_mpi_short")
#define PREDEFINED_INT OBJECT(MPI_Datatype, "ompi_mpi_int")
#define PREDEFINED_DOUBLE OBJECT(MPI_Datatype, "ompi_mpi_double")
#define PREDEFINED_LONG_DOUBLE OBJECT(MPI_Datatype, "ompi_mpi_long_double")
#define PREDEFINED_MINIMUM OBJECT(MPI_Op, "ompi_mpi_op_min")
#define PREDEFINED_ERRORS_RETURN OBJECT(MPI_Errhandler, "ompi_mpi_errors_return")
#define PREDEFINED_NO_INFO OBJECT(MPI_Info, "ompi_mpi_info_null")
#define PREDEFINED_SELF OBJECT(MPI_Comm, "ompi_mpi_comm_self")
#define PREDEFINED_WORLD OBJECT(MPI_Comm, "ompi_mpi_comm_world")
#define PREDEFINED_NULL OBJECT(MPI_Comm, "ompi_mpi_comm_null")
#define PREDEFINED_NO_TYPE OBJECT(MPI_Datatype, "ompi_mpi_datatype_null")
#define PREDEFINED_NO_REQUEST OBJECT(MPI_Request, "ompi_request_null")
#define PREDEFINED_NO_WINDOW OBJECT(MPI_Win, "ompi_mpi_win_null")
#else
#define PREDEFINED_BYTE MPI_BYTE
#define PREDEFINED_CHAR MPI_CHAR
#define PREDEFINED_SHORT MPI_SHORT
#define PREDEFINED_INT MPI_INT
#define PREDEFINED_DOUBLE MPI_DOUBLE
#define PREDEFINED_LONG_DOUBLE MPI_LONG_DOUBLE
#define PREDEFINED_MINIMUM MPI_MIN
#define PREDEFINED_ERRORS_RETURN MPI_ERRORS_RETURN
#define PREDEFINED_NO_INFO MPI_INFO_NULL
#define PREDEFINED_SELF MPI_COMM_SELF
#define PREDEFINED_WORLD MPI_COMM_WORLD
#define PREDEFINED_NULL MPI_COMM_NULL
#define PREDEFINED_NO_TYPE MPI_DATATYPE_NULL
#define PREDEFINED_NO_REQUEST MPI_REQUEST_NULL
#define PREDEFINED_NO_WINDOW MPI_WIN_NULL
#endif

#endif
