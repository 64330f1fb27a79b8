// The leader election of examples/red/forest.red for Spin.  -DM=5 gives five processes.
#ifndef M
#define M 3
#endif
#define SELF (_pid + 1)

byte request;
byte response;
byte parent[M + 1];
byte children;  // processes with a parent

active [M] proctype worker() {
root:
  if
  :: atomic { request == 0 -> request = SELF; response = 0 }
  :: atomic { request != 0 && request != SELF && response == 0 -> response = SELF }; goto root
  fi;
  atomic { response != 0 -> parent[SELF] = response; request = 0; response = 0; children++; assert(children < M) }
}
