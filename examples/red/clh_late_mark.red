// The CLH lock with two steps exchanged: a process shows its node before it has marked it as locked.
// Process 1 only lends the node that the lock starts with.
// expect: unsafe
// threads: 2..4
// unsafe-from: 3
process count = 3;
global pointer tail;
local pointer node, pred;
local discrete locked;

mode idle true { when true may pred = tail; tail = node; goto enter; }
mode enter true { when true may node->locked = 1; goto waiting; }
mode waiting true { when pred->locked == 0 may goto critical; }
mode critical true { when true may node->locked = 0; goto leaving; }
mode leaving true { when true may node = pred; goto idle; }
mode lender true { }

initially lender[1] and tail == 1 and (forall i: node[i] == i and locked[i] == 0);
risk exists i, j: i != j and critical[i] and critical[j];
