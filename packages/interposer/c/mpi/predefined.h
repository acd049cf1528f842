/* Predefined handles. In Open MPI they are addresses in libmpi, which this library does not link: programs without an
 * MPI load it too. */
#ifndef STOWAGE_PREDEFINED_H
#define STOWAGE_PREDEFINED_H

#include "next.h"

#include <mpi.h>

#ifdef OPEN_MPI
#define PREDEFINED_BYTE ((MPI_Datatype)shared_object("ompi_mpi_byte"))
#define PREDEFINED_CHAR ((MPI_Datatype)shared_object("ompi_mpi_char"))
#define PREDEFINED_SHORT ((MPI_Datatype)shared_object("ompi_mpi_short"))
#define PREDEFINED_INT ((MPI_Datatype)shared_object("ompi_mpi_int"))
#define PREDEFINED_DOUBLE ((MPI_Datatype)shared_object("ompi_mpi_double"))
#define PREDEFINED_LONG_DOUBLE ((MPI_Datatype)shared_object("ompi_mpi_long_double"))
#define PREDEFINED_MINIMUM ((MPI_Op)shared_object("ompi_mpi_op_min"))
#define PREDEFINED_ERRORS_RETURN ((MPI_Errhandler)shared_object("ompi_mpi_errors_return"))
#define PREDEFINED_NO_INFO ((MPI_Info)shared_object("ompi_mpi_info_null"))
#define PREDEFINED_SELF ((MPI_Comm)shared_object("ompi_mpi_comm_self"))
#define PREDEFINED_WORLD ((MPI_Comm)shared_object("ompi_mpi_comm_world"))
#define PREDEFINED_NULL ((MPI_Comm)shared_object("ompi_mpi_comm_null"))
#define PREDEFINED_NO_TYPE ((MPI_Datatype)shared_object("ompi_mpi_datatype_null"))
#define PREDEFINED_ERRORS_RETURN ((MPI_Errhandler)shared_object("ompi_mpi_errors_return"))
#define PREDEFINED_NO_REQUEST ((MPI_Request)shared_object("ompi_request_null"))
#define PREDEFINED_NO_WINDOW ((MPI_Win)shared_object("ompi_mpi_win_null"))
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
#define PREDEFINED_ERRORS_RETURN MPI_ERRORS_RETURN
#define PREDEFINED_NO_REQUEST MPI_REQUEST_NULL
#define PREDEFINED_NO_WINDOW MPI_WIN_NULL
#endif

#endif
