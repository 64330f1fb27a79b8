// Treiber's stack with epochs: a process inside the stack has noted the epoch, the epoch goes on only when everyone
// inside has noted it, and a node that was taken out in one epoch is brought back two epochs later, when nobody is left
// who may have seen it before.  Epochs are counted modulo 3.
// expect: safe
// threads: 2..3
process count = 3;
global pointer head;
global discrete epoch: 0..2;
local pointer next, node, top, below;
local discrete inside: 0..1, seen: 0..2, retired: 0..2;

mode idle true {
  when node != NULL and (epoch == 0 and retired == 1 or epoch == 1 and retired == 2 or epoch == 2 and retired == 0) may retired = 0; goto pushing;
  when node == NULL may inside = 1; seen = epoch; goto looking;
  when epoch == 0 and (forall i: inside[i] == 0 or seen[i] == 0) may epoch = 1;
  when epoch == 1 and (forall i: inside[i] == 0 or seen[i] == 1) may epoch = 2;
  when epoch == 2 and (forall i: inside[i] == 0 or seen[i] == 2) may epoch = 0;
}
mode pushing true { when true may node->next = head; goto linking; }
mode linking true {
  when node->next == head may head = node; node = NULL; goto idle;
  when node->next != head may goto pushing;
}
mode looking true {
  when head != NULL may top = head; goto popping;
  when head == NULL may inside = 0; seen = 0; goto idle;
}
mode popping true { when true may below = top->next; goto taking; }
mode taking true {
  when head == top may head = below; node = top; top = NULL; below = NULL; retired = epoch; inside = 0; seen = 0; goto idle;
  when head != top may top = NULL; below = NULL; inside = 0; seen = 0; goto idle;
}

initially (forall i: idle[i] and node[i] == i and next[i] == NULL and top[i] == NULL and below[i] == NULL and inside[i] == 0 and seen[i] == 0 and retired[i] == 1) and head == NULL and epoch == 0;
risk exists i, j: i != j and node[i] != NULL and node[i] == node[j];
