// The doubly linked ring of examples/red/ring.red for Spin.  -DM=5 gives five processes.
#ifndef M
#define M 3
#endif
#define SELF (_pid + 1)
#define CHECK assert(linked == 0 || L != 0)

byte L;
byte lock;
byte next[M + 1];
byte prev[M + 1];
byte linked;  // processes with a successor

active [M] proctype worker() {
outside:
  atomic { lock == 0 -> lock = SELF }
  if
  :: atomic { L == 0 -> L = SELF };
     atomic { next[SELF] = SELF; linked++; CHECK }
     prev[SELF] = SELF;
     goto inserted
  :: atomic { L != 0 -> next[SELF] = next[L]; linked++; CHECK }
  fi;
  prev[SELF] = L;
  next[prev[SELF]] = SELF;
  prev[next[SELF]] = SELF;
  L = SELF;
inserted:
  lock = 0;
  atomic { lock == 0 -> lock = SELF }
  if
  :: atomic { next[SELF] == SELF -> next[SELF] = 0; linked-- };
     prev[SELF] = 0;
     atomic { L = 0; CHECK }
     goto deleted
  :: atomic { next[SELF] != SELF && L == SELF -> L = prev[SELF] }
  :: next[SELF] != SELF && L != SELF
  fi;
  next[prev[SELF]] = next[SELF];
  prev[next[SELF]] = prev[SELF];
  atomic { next[SELF] = 0; linked-- }
  prev[SELF] = 0;
deleted:
  lock = 0;
  goto outside
}
