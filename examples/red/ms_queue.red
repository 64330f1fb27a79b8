// The queue of Michael and Scott with nodes that are reused.  A process puts the node that it owns into the queue, and
// owns the node that it takes out.  A word that holds a pointer holds the node's modification count as well, and a
// compare-and-swap compares both; a node whose count is used up is not taken out any more.  An end of the queue and the
// node behind it are read in one step, which the algorithm makes sure of by reading twice.  Process 1 lends the node that
// the queue starts with.  What has been put in and not been taken out hangs on some node, and what is owned does not.
// expect: safe
// threads: 2..4
process count = 3;
global pointer head, tail;
local pointer next, node, top, after;
local discrete count, seen: 0..1;
local discrete queued;

mode idle true {
  when node != NULL may node->next = NULL; goto put;
  when node == NULL may goto get;
}
mode put true {
  when tail->next == NULL may top = tail; seen = tail->count; goto link;
  when tail->next != NULL may top = tail; seen = tail->count; after = tail->next; goto help_put;
}
mode link true {
  when top->next == NULL and top->count == seen may
    top->next = node; node->queued = 1; after = node; node = NULL; goto swing;
  when top->next != NULL or top->count != seen may goto put;
}
mode swing true {
  when tail == top and top->count == seen may tail = after; goto idle;
  when tail != top or top->count != seen may goto idle;
}
mode help_put true {
  when tail == top and top->count == seen may tail = after; goto put;
  when tail != top or top->count != seen may goto put;
}
mode get true {
  when head == tail and head->next == NULL may goto idle;
  when head == tail and head->next != NULL may top = head; seen = head->count; after = head->next; goto help_get;
  when head != tail may top = head; seen = head->count; after = head->next; goto take;
}
mode help_get true {
  when tail == top and top->count == seen may tail = after; goto get;
  when tail != top or top->count != seen may goto get;
}
mode take true {
  when head == top and top->count == seen and seen < 1 may
    head = after; after->queued = 0; top->count = top->count + 1; node = top; goto idle;
  when head != top or top->count != seen may goto get;
}
mode lender true { }

initially lender[1] and head == 1 and tail == 1
  and (forall i: (i == 1 implies node[i] == NULL) and (i != 1 implies node[i] == i))
  and (forall i: next[i] == NULL and count[i] == 0 and queued[i] == 0);
safe forall i: queued[i] == 1 implies exists j: next[j] == i;
risk exists i: node[i] != NULL && (node[i] == head or node[i]->queued == 1);
