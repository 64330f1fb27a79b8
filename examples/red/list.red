// A linked list with a lock at each node, which processes insert their nodes into and remove them from, hand over hand:
// the next node is locked before the last one is released.  Process 1 is the head and only lends its node.
// expect: safe
// threads: 2..4
process count = 3;
local pointer next, owner, at, ahead;

mode outside true { when owner[1] == NULL may owner[1] = P; at = 1; goto inserting; }
mode inserting true {
  when true may next = at->next; at->next = P; at->owner = NULL; at = NULL; goto inside;
  when at->next != NULL && at->next->owner == NULL may ahead = at->next; ahead->owner = P; goto stepping;
}
mode stepping true { when true may at->owner = NULL; at = ahead; ahead = NULL; goto inserting; }
mode inside true { when owner[1] == NULL may owner[1] = P; at = 1; goto searching; }
mode searching true {
  when at->next == P and owner == NULL may owner = P; goto removing;
  when at->next != P && at->next->owner == NULL may ahead = at->next; ahead->owner = P; goto walking;
}
mode walking true { when true may at->owner = NULL; at = ahead; ahead = NULL; goto searching; }
mode removing true { when true may ahead = next; goto unlinking; }
mode unlinking true { when true may at->next = ahead; next = NULL; owner = NULL; at->owner = NULL; at = NULL; ahead = NULL; goto outside; }
mode head true { }

initially head[1] and (forall i: next[i] == NULL and owner[i] == NULL and at[i] == NULL and ahead[i] == NULL);
safe forall i: inside[i] implies exists j: next[j] == i;
