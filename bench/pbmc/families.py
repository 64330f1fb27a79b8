#!/usr/bin/env python3
"""The four families of programs of the PBMC paper (section 6), and variants of them, as process programs of any size.

  indexer N       N processes insert messages into a shared hash table (after Flanagan and Godefroid, POPL 2005): no collisions up to 11
                  processes.  The property is that there is none.
  file-system N   N processes look for a free block for their inode, with a lock for each inode and block (from the same source).  The
                  property is that no block number leaves the table of blocks, to which the search, unlike the source's, never returns
                  at the start.
  file-system-shared N  The same with a shared counter that gives each process its inode, and few blocks, so that which are tried
                  depends on the order of the processes.  The property is that the first two inodes never get the same block.
  philosophers N  N dining philosophers whose mutex is released between the look at the chopsticks and taking them.  The property, that
                  no two neighbours eat at the same time, is violated after 10 steps.
  litmus N        N processes of random assignments over shared and local variables.  The property is that some variables never have
                  certain values together.  --values says which: of `reached`, the default, some execution has them after at most 20
                  steps; of `apart` many random executions have each, but none both at once; `never` are values that no sum is equal to.

The same arguments give the same program.  Prints it.
"""

import argparse
import itertools
import random


def indexer(processes):
    return f"""// {processes} processes insert messages into a shared hash table; no two messages have the same hash value.
const size = 128, messages = 4;
int table[size] = 0;
bool collision = false;
processes {processes};
faults block;
property !collision;

process Writer[i] {{
  int sent = 0, message = 0, place = 0;
  bool taken = false;
  while (sent < messages) {{
    sent, message = sent + 1, (sent + 1) * 11 + i;
    place = (message * 7) % size;
    taken, table[place] = table[place] != 0, table[place] != 0 ? table[place] : message;
    while (taken) {{
      collision = true;
      place = (place + 1) % size;
      taken, table[place] = table[place] != 0, table[place] != 0 ? table[place] : message;
    }}
  }}
}}
"""


def file_system(processes):
    property_ = " && ".join(f"block[{i}] < blocks" for i in range(processes))
    return f"""// {processes} processes allocate a block for their inode; inodes and blocks are guarded by locks.
const inodes = 32, blocks = 26;
bool inode_locked[inodes] = false, block_locked[blocks] = false, busy[blocks] = false;
int inode[inodes] = 0;
int block[{processes}] = 0;
processes {processes};
faults block;
property {property_};

process User[i] {{
  int mine = 0;
  bool searching = true;
  mine = i % inodes;
  when (!inode_locked[mine]) inode_locked[mine] = true;
  if (inode[mine] == 0) {{
    block[i] = mine * 2;
    while (searching) {{
      when (!block_locked[block[i]]) block_locked[block[i]] = true;
      if (!busy[block[i]]) {{
        busy[block[i]] = true;
        inode[mine] = block[i] + 1;
        block_locked[block[i]] = false;
        searching = false;
      }} else {{
        block_locked[block[i]] = false;
        block[i] = block[i] + 1;
      }}
    }}
  }}
  inode_locked[mine] = false;
}}
"""


def file_system_shared(processes):
    return f"""// {processes} processes take the next inode, by a shared counter, and allocate a block for it; inodes and blocks are guarded by locks.
const inodes = 4, blocks = 8;
bool inode_locked[inodes] = false, block_locked[blocks] = false, busy[blocks] = false;
int inode[inodes] = 0;
int next = 0;
processes {processes};
faults block;
property inode[0] == 0 || inode[0] != inode[1];

process User[i] {{
  int mine = 0, block = 0;
  bool searching = true;
  mine, next = next, (next + 1) % inodes;
  when (!inode_locked[mine]) inode_locked[mine] = true;
  if (inode[mine] == 0) {{
    block = (mine * 3) % blocks;
    while (searching) {{
      when (!block_locked[block]) block_locked[block] = true;
      if (!busy[block]) {{
        busy[block] = true;
        inode[mine] = block + 1;
        block_locked[block] = false;
        searching = false;
      }} else {{
        block_locked[block] = false;
        block = (block + 1) % blocks;
      }}
    }}
  }}
  inode_locked[mine] = false;
}}
"""


def philosophers(count):
    property_ = " && ".join(f"!(eating[{i}] && eating[{(i + 1) % count}])" for i in range(count))
    return f"""// {count} dining philosophers; the mutex is released before the chopsticks that were seen free are taken.
const N = {count};
bool mutex = false;
bool taken[N] = false, eating[N] = false;
processes N;
faults block;
property {property_};

process Philosopher[i] {{
  when (!mutex) mutex = true;
  while (taken[i] || taken[(i + 1) % N]) {{
    mutex = false;
    when (!mutex) mutex = true;
  }}
  mutex = false;
  taken[i], taken[(i + 1) % N] = true, true;
  eating[i] = true;
  eating[i] = false;
  when (!mutex) mutex = true;
  taken[i], taken[(i + 1) % N] = false, false;
  mutex = false;
}}
"""


# The families that are the same program for every seed.
FIXED = {"indexer": indexer, "file-system": file_system, "file-system-shared": file_system_shared, "philosophers": philosophers}


class Litmus:
    """Processes of straight assignments, and enough of an interpreter to know values that executions reach.

    Every constant is a multiple of 3, so every value is: others are never reached, whatever the interleaving."""

    LOCALS = 2

    def __init__(self, processes, statements, seed):
        self.random = random.Random(f"{processes}.{statements}.{seed}")
        self.shared = [f"x{i}" for i in range(processes)]
        self.processes = [[self.statement() for _ in range(statements)] for _ in range(processes)]
        self.live_at = [[self.live_locals(p, place) for place in range(statements + 1)] for p in range(processes)]

    def operand(self, kinds):
        kind = self.random.choice(kinds)
        if kind == "constant":
            return str(3 * self.random.randint(1, 4))
        if kind == "shared":
            return self.random.choice(self.shared)
        return f"r{self.random.randrange(self.LOCALS)}"

    def statement(self):
        """A target and the operands of the sum that it is given; what a process writes depends on what it has read."""
        if self.random.random() < 0.5:
            target, first = f"r{self.random.randrange(self.LOCALS)}", self.operand(["shared"])
        else:
            target, first = self.random.choice(self.shared), self.operand(["local", "local", "constant"])
        return target, [first] + ([self.operand(["local", "constant"])] if self.random.random() < 0.5 else [])

    def live_locals(self, process, place):
        """Local variables whose value at this place of the process is read before it is written."""
        live = set()
        for target, operands in reversed(self.processes[process][place:]):
            live.discard(target)
            live.update(word for word in operands if word.startswith("r"))
        return live

    def step(self, state, process):
        """The state after the next statement of a process; none where it has ended.  A state is the places of all processes, the
        shared values and, for each process, the values of its live locals."""
        places, values, local = state
        if places[process] == len(self.processes[process]):
            return None
        target, operands = self.processes[process][places[process]]
        known = dict(zip(self.shared, values)) | dict(local[process])
        known[target] = sum(int(word) if word.isdigit() else known.get(word, 0) for word in operands)
        places = places[:process] + (places[process] + 1,) + places[process + 1:]
        live = tuple(sorted((name, known.get(name, 0)) for name in self.live_at[process][places[process]]))
        return places, tuple(known[name] for name in self.shared), local[:process] + (live,) + local[process + 1:]

    def start(self):
        count = len(self.processes)
        return (0,) * count, (0,) * len(self.shared), ((),) * count

    def random_execution(self, steps):
        """The shared values after each step."""
        state = self.start()
        for _ in range(steps):
            after = [after for after in (self.step(state, p) for p in range(len(self.processes))) if after]
            if not after:
                return
            state = self.random.choice(after)
            yield dict(zip(self.shared, state[1]))

    def values_apart(self, steps, runs):
        """Two variables with values that random executions often reach, but none of them both at once: a list of (variable, value).
        That no execution at all does is for a search to say."""
        executions = [list(self.random_execution(steps)) for _ in range(runs)]
        best = None
        for watched in itertools.combinations(self.shared, 2):
            alone, together = [{}, {}], set()
            for execution in executions:
                for times, name in zip(alone, watched):
                    for value in {values[name] for values in execution}:
                        times[value] = times.get(value, 0) + 1
                together.update(tuple(values[name] for name in watched) for values in execution)
            for key in itertools.product(sorted(alone[0]), sorted(alone[1])):
                rank = alone[0][key[0]] * alone[1][key[1]]
                if key not in together and (best is None or rank > best[0]):
                    best = (rank, list(zip(watched, key)))
        return best[1]

    def remote_values(self, steps, runs):
        """Two variables with values that random executions reach, but late and seldom: a list of (variable, value)."""
        executions = [list(self.random_execution(steps)) for _ in range(runs)]
        best = None
        for watched in itertools.combinations(self.shared, 2):
            first, times = {}, {}
            for execution in executions:
                seen = {}
                for step, values in enumerate(execution):
                    seen.setdefault(tuple(values[name] for name in watched), step)
                for key, step in seen.items():
                    first[key] = min(step, first.get(key, steps))
                    times[key] = times.get(key, 0) + 1
            for key in sorted(first):
                rank = (first[key], -times[key])
                if best is None or rank > best[0]:
                    best = (rank, list(zip(watched, key)))
        return best[1]


LITMUS_VALUES = ["reached", "apart", "never"]


def litmus(processes, seed=1, statements=8, depth=20, values="reached"):
    program = Litmus(processes, statements, seed)
    asked = program.values_apart(depth, 1000) if values == "apart" else program.remote_values(depth, 300)
    met = " && ".join(f"{name} == {value + (1 if values == 'never' else 0)}" for name, value in asked)
    lines = [f"// A random litmus test (seed {seed}).",
             f"int {', '.join(f'{name} = 0' for name in program.shared)};",
             f"processes {processes};",
             f"property !({met});"]
    for i, body in enumerate(program.processes):
        lines += ["", f"process P{i} {{", f"  int {', '.join(f'r{k} = 0' for k in range(program.LOCALS))};"]
        lines += [f"  {target} = {' + '.join(operands)};" for target, operands in body]
        lines.append("}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=[*FIXED, "litmus"])
    parser.add_argument("processes", type=int)
    parser.add_argument("--seed", type=int, default=1, help="litmus: another seed, another program")
    parser.add_argument("--statements", type=int, default=8, help="litmus: statements of each process")
    parser.add_argument("--depth", type=int, default=20, help="litmus: steps in which the values are reached")
    parser.add_argument("--values", choices=LITMUS_VALUES, default="reached", help="litmus: what the property asks for")
    options = parser.parse_args()
    if options.processes < 2:
        parser.error("at least two processes")
    if options.family == "litmus":
        print(litmus(options.processes, options.seed, options.statements, options.depth, options.values), end="")
    else:
        print(FIXED[options.family](options.processes), end="")


if __name__ == "__main__":
    main()
