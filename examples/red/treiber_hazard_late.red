// Hazard pointers as in treiber_hazard.red, but the node below is read before the announcement: when it is made, the node
// may be the first one again, over another one.
// expect: unsafe
// threads: 2..3
// unsafe-from: 3
process count = 3;
global pointer head;
local pointer next, node, top, below, hazard;

mode idle true {
  when node != NULL and (forall i: hazard[i] != node) may goto pushing;
  when node == NULL and head != NULL may top = head; goto reading;
}
mode pushing true { when true may node->next = head; goto linking; }
mode linking true {
  when node->next == head may head = node; node = NULL; goto idle;
  when node->next != head may goto pushing;
}
mode reading true { when true may below = top->next; goto announcing; }
mode announcing true { when true may hazard = top; goto taking; }
mode taking true {
  when head == top may head = below; node = top; top = NULL; below = NULL; hazard = NULL; goto idle;
  when head != top may top = NULL; below = NULL; hazard = NULL; goto idle;
}

initially (forall i: idle[i] and node[i] == i and next[i] == NULL and top[i] == NULL and below[i] == NULL and hazard[i] == NULL) and head == NULL;
risk exists i, j: i != j and node[i] != NULL and node[i] == node[j];
