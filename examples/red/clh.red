// The queue lock of Craig, Landin and Hagersten: a process waits on its predecessor's node, and takes that node over
// when it leaves.  Process 1 only lends the node that the lock starts with.
// expect: safe
// threads: 2..4
process count = 3;
global pointer tail;
local pointer node, pred;
local discrete locked;

mode idle true { when true may node->locked = 1; goto enter; }
mode enter true { when true may pred = tail; tail = node; goto waiting; }
mode waiting true { when pred->locked == 0 may goto critical; }
mode critical true { when true may node->locked = 0; goto leaving; }
mode leaving true { when true may node = pred; goto idle; }
mode lender true { }

initially lender[1] and tail == 1 and (forall i: node[i] == i and locked[i] == 0);
risk exists i, j: i != j and critical[i] and critical[j];
