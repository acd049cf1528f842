/* STOWAGE_STAGED: whether messages whose elements lie apart in memory of the host are given to the MPI as packed bytes
 * (mode staged). All processes of a job have the same word, as its launcher passes it on. */
#ifndef STOWAGE_STAGED_OPTION_H
#define STOWAGE_STAGED_OPTION_H

enum staged_option {
  /* Never. The default: the question in MPI_Init needs all processes of the job. */
  STAGED_OFF,
  /* All that may be, in place of packing inside the MPI too. */
  STAGED_ON,
  /* Where nothing can be packed inside the MPI, and times of this process's own messages say so. */
  STAGED_MEASURED
};

enum staged_option staged_option(void);

#endif
