// The list with locks hand over hand, where a process that removes its node locks the node before it only.  A process
// that stands at the removed node inserts its own behind it, and is lost.  Process 1 is the head.
// expect: unsafe
// threads: 2..4
// unsafe-from: 3
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
  when at->next == P may goto removing;
  when at->next != P && at->next->owner == NULL may ahead = at->next; ahead->owner = P; goto walking;
}
mode walking true { when true may at->owner = NULL; at = ahead; ahead = NULL; goto searching; }
mode removing true { when true may ahead = next; goto unlinking; }
mode unlinking true { when true may at->next = ahead; next = NULL; at->owner = NULL; at = NULL; ahead = NULL; goto outside; }
mode head true { }

initially head[1] and (forall i: next[i] == NULL and owner[i] == NULL and at[i] == NULL and ahead[i] == NULL);
safe forall i: inside[i] implies exists j: next[j] == i;
