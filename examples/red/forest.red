// Leader election: processes ask to become children of others that are nobody's child.  The parent pointers form a
// forest, and at any time some process is a root.
// expect: safe
// threads: 2..4
process count = 3;
global pointer request, response;
local pointer parent;

mode root true {
  when request == NULL may request = P; response = NULL; goto asking;
  when request != NULL and request != P and response == NULL may response = P;
}
mode asking true { when response != NULL may parent = response; request = NULL; response = NULL; goto child; }
mode child true { }

initially (forall i: root[i] and parent[i] == NULL) and request == NULL and response == NULL;
safe exists i: parent[i] == NULL;
