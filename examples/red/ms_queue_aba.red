// The queue of Michael and Scott with nodes that are reused and no modification counts.  A process that is about to move
// the tail on does not notice that the node there has been taken out and put in again (the ABA problem): it makes a node
// the tail that somebody owns.  Process 1 lends the node that the queue starts with.
// expect: unsafe
// threads: 2..4
// unsafe-from: 3
process count = 3;
global pointer head, tail;
local pointer next, node, top, after;
local discrete queued;

mode idle true {
  when node != NULL may node->next = NULL; goto put;
  when node == NULL may goto get;
}
mode put true {
  when tail->next == NULL may top = tail; goto link;
  when tail->next != NULL may top = tail; after = tail->next; goto help_put;
}
mode link true {
  when top->next == NULL may
    top->next = node; node->queued = 1; after = node; node = NULL; goto swing;
  when top->next != NULL may goto put;
}
mode swing true {
  when tail == top may tail = after; goto idle;
  when tail != top may goto idle;
}
mode help_put true {
  when tail == top may tail = after; goto put;
  when tail != top may goto put;
}
mode get true {
  when head == tail and head->next == NULL may goto idle;
  when head == tail and head->next != NULL may top = head; after = head->next; goto help_get;
  when head != tail may top = head; after = head->next; goto take;
}
mode help_get true {
  when tail == top may tail = after; goto get;
  when tail != top may goto get;
}
mode take true {
  when head == top may
    head = after; after->queued = 0; node = top; goto idle;
  when head != top may goto get;
}
mode lender true { }

initially lender[1] and head == 1 and tail == 1
  and (forall i: (i == 1 implies node[i] == NULL) and (i != 1 implies node[i] == i))
  and (forall i: next[i] == NULL and queued[i] == 0);
safe forall i: queued[i] == 1 implies exists j: next[j] == i;
risk exists i: node[i] != NULL && (node[i] == head or node[i]->queued == 1);
