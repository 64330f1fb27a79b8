// Treiber's stack with hazard pointers: a process that is about to pop a node announces it and looks again whether it is
// still the first one, and nobody brings back a node that somebody has announced.  That is enough against the ABA
// problem of treiber_aba.red.
// expect: safe
// threads: 2..3
process count = 3;
global pointer head;
local pointer next, node, top, below, hazard;

mode idle true {
  when node != NULL and (forall i: hazard[i] != node) may goto pushing;
  when node == NULL and head != NULL may top = head; goto announcing;
}
mode pushing true { when true may node->next = head; goto linking; }
mode linking true {
  when node->next == head may head = node; node = NULL; goto idle;
  when node->next != head may goto pushing;
}
mode announcing true { when true may hazard = top; goto popping; }
mode popping true {
  when head == top may below = top->next; goto taking;
  when head != top may top = NULL; hazard = NULL; goto idle;
}
mode taking true {
  when head == top may head = below; node = top; top = NULL; below = NULL; hazard = NULL; goto idle;
  when head != top may top = NULL; below = NULL; hazard = NULL; goto idle;
}

initially (forall i: idle[i] and node[i] == i and next[i] == NULL and top[i] == NULL and below[i] == NULL and hazard[i] == NULL) and head == NULL;
risk exists i, j: i != j and node[i] != NULL and node[i] == node[j];
