// Leader election in which a child answers, too: the last root becomes the child of one of its own descendants.
// expect: unsafe
// threads: 2..4
process count = 3;
global pointer request, response;
local pointer parent;

mode root true {
  when request == NULL may request = P; response = NULL; goto asking;
  when request != NULL and request != P and response == NULL may response = P;
}
mode asking true { when response != NULL may parent = response; request = NULL; response = NULL; goto child; }
mode child true { when request != NULL and response == NULL may response = P; }

initially (forall i: root[i] and parent[i] == NULL) and request == NULL and response == NULL;
safe exists i: parent[i] == NULL;
