// The queue lock of Craig, Landin and Hagersten where each process enters once and leaves its node behind: it waits on the
// bit of the process before it.
// expect: safe
// threads: 2..4
process count = 3;
global pointer tail;
local pointer pred;
local discrete locked;

mode idle true { when true may locked = 1; goto enter; }
mode enter true { when true may pred = tail; tail = P; goto look; }
mode look true {
  when pred == NULL may goto critical;
  when pred != NULL may goto waiting;
}
mode waiting true { when pred->locked == 0 may goto critical; }
mode critical true { when true may locked = 0; goto done; }
mode done true { }

initially (forall i: idle[i]) and tail == NULL;
risk exists i, j: i != j and critical[i] and critical[j];
