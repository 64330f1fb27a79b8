// Treiber's stack with nodes that are reused at once.  A process that is about to pop a node does not notice that the
// node has been popped and pushed meanwhile, over another one (the ABA problem), and brings an owned node back.
// expect: unsafe
// threads: 2..4
// unsafe-from: 3
process count = 3;
global pointer head;
local pointer next, node, top, below;

mode idle true {
  when node != NULL may goto pushing;
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
