/** What TYPE may be, in every command that takes one. */
export const TYPE_ARGUMENT = "a JSON document, @FILE with one, an MPI name, or a workload such as MILC_su3_zdown/0";
