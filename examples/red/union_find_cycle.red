// Disjoint sets whose linking looks at one of the two roots only: two processes that link the same roots the other way
// round make a cycle.
// expect: unsafe
// threads: 2..4
// unsafe-from: 3
process count = 3;
global pointer offer;
local pointer parent, root, other;

mode idle true {
  when offer == NULL may offer = P;
  when offer != NULL and offer != P may root = P; other = offer; offer = NULL; goto climbing;
}
mode climbing true {
  when root->parent != NULL && root->parent->parent != NULL may root->parent = root->parent->parent;
  when root->parent != NULL && root->parent->parent == NULL may root = root->parent;
  when other->parent != NULL may other = other->parent;
  when root->parent == NULL and other->parent == NULL may goto linking;
}
mode linking true {
  when root != other and root->parent == NULL may root->parent = other; root = NULL; other = NULL; goto idle;
  when root == other may root = NULL; other = NULL; goto idle;
  when root != other and root->parent != NULL may goto climbing;
}

initially (forall i: idle[i] and parent[i] == NULL and root[i] == NULL and other[i] == NULL) and offer == NULL;
risk exists i: parent[i] == i || (parent[i] != NULL && parent[i]->parent == i);
