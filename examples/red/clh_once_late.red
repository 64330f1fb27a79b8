// The queue lock of examples/red/clh_once.red with the bit set after the process has entered: who comes next may see it
// unset, and does not wait.
// expect: unsafe
// threads: 2..4
// unsafe-from: 2
process count = 3;
global pointer tail;
local pointer pred;
local discrete locked;

mode idle true { when true may pred = tail; tail = P; goto enter; }
mode enter true { when true may locked = 1; goto look; }
mode look true {
  when pred == NULL may goto critical;
  when pred != NULL may goto waiting;
}
mode waiting true { when pred->locked == 0 may goto critical; }
mode critical true { when true may locked = 0; goto done; }
mode done true { }

initially (forall i: idle[i] and locked[i] == 0) and tail == NULL;
risk exists i, j: i != j and critical[i] and critical[j];
