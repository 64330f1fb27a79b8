// Figure 2 of the RED paper: a ring of pointers that never changes.  Rotations leave it as it is, but exchanging two
// processes turns it round: a reduction that did so would claim that the ring of the other direction can be reached.
// expect: safe
// threads: 3
process count = 3;
local pointer next;
local discrete seen: 0..1;

mode still true { when true may next->seen = 1; }

initially next[1] == 2 and next[2] == 3 and next[3] == 1 and (forall i: seen[i] == 0);
risk next[1] == 3 or next[2] == 1 or next[3] == 2;
