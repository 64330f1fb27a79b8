// Treiber's stack with nodes that are reused.  A process pushes the node that it owns, and owns what it pops.  Before a
// node is pushed again nobody may still be about to pop it: that is what hazard pointers see to.
// expect: safe
// threads: 2..4
process count = 3;
global pointer head;
local pointer next, node, top, below;

mode idle true {
  when node != NULL && (forall i: top[i] != node) may goto pushing;
  when node == NULL and head != NULL may top = head; goto popping;
}
mode pushing true { when true may node->next = head; goto linking; }
mode linking true {
  when node->next == head may head = node; node = NULL; goto idle;
  when node->next != head may goto pushing;
}
mode popping true {
  when head == top may below = top->next; goto taking;
  when head != top may top = NULL; goto idle;
}
mode taking true {
  when head == top may head = below; node = top; top = NULL; below = NULL; goto idle;
  when head != top may top = NULL; below = NULL; goto idle;
}

initially (forall i: idle[i] and node[i] == i and next[i] == NULL and top[i] == NULL and below[i] == NULL) and head == NULL;
risk exists i, j: i != j and node[i] != NULL and node[i] == node[j];
