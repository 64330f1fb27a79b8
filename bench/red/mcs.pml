// The MCS lock of examples/red/mcs.red for Spin: one Promela step for each step there.  -DM=5 gives five processes.
#ifndef M
#define M 3
#endif
#define SELF (_pid + 1)

byte L;
byte next[M + 1];
byte prev[M + 1];
bit locked[M + 1];
byte inside;  // processes in the critical section

active [M] proctype worker() {
zero:
  next[SELF] = 0;
  atomic { prev[SELF] = L; L = SELF }
  if
  :: atomic { prev[SELF] == 0 -> inside++; assert(inside == 1) }; goto six
  :: prev[SELF] != 0
  fi;
  locked[SELF] = 1;
  next[prev[SELF]] = SELF;
  atomic { locked[SELF] == 0 -> inside++; assert(inside == 1) }
six:
  if
  :: next[SELF] != 0 -> goto nine
  :: next[SELF] == 0
  fi;
  if
  :: atomic { L == SELF -> L = 0; inside-- }; goto zero
  :: L != SELF
  fi;
  next[SELF] != 0;
nine:
  atomic { locked[next[SELF]] = 0; inside-- }
  goto zero
}
