/** The paper's Figure 6, comments and spelling as printed. Its stride is that of a matrix 4 integers wide. */
export const FIGURE_6 = `EXIT
   # Args: (count, blklen, disps,
   #         size(inner), extent(inner))
   # Arg 1-3: from line 6
   # Arg 4-5: calculated
   BLOCKINDEXED1(3,1,[0,4,8],16,40)
     # Args: (count, blklen, stride,
     #        size(MPI_INT), extent(MPI_INT))
     # Arg 1-3: from line 5
     VECTORFINAL(4,1,16,4,4)
       # Contiguous bytes in innermost
       # block: 1 x size(MPI_INT)
       CONTIGFINAL(4)
   BOTTOM
`;

/** Figure 8: the same with the inner type in a struct. RETURNTO names line 4. */
export const FIGURE_8 = `EXIT
# Arg 4: array of inner sizes
# Arg 5: array of inner extents
STRUCT(3,[1,1,1],[0,4,8],[16],[40])
# Goto statment 4 after each
# inner type has been processed
RETURNTO(4)
VECTORFINAL(4,1,16,4,4)
CONTIGFINAL(4)
BOTTOM
BOTTOM
`;
