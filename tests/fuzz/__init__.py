"""`./fuzz`: random mechanisms, laws, files and commands, for as long as asked, each held against what must be so.

    kinds.py           what is drawn, and who examines it: one line per kind
    case.py            one case as plain data: it can be written, read, and made simpler
    finding.py         what is wrong with a case, and the counts of a kind
    mechanisms_of.py   mechanisms of every kind, from the recipes of the tests; velocities.py sets them moving
    motions.py         a mechanism by all methods; bounds.py what they may differ by; sheets.py reads their bodies
    starts.py          places, energies and accelerations at the start; forces.py free bodies and reactions
    outputs.py         energies and reactions at the end of a run
    decades.py         the same mechanism in other units of mass, length and time
    trees.py           against other programs (peers.py): pinocchio_peer.py, mujoco_peer.py;
                       peer_motion.py a whole motion of theirs
    laws.py            laws that switch and bend (features.py) against impulses, energies and times
    lawful.py          the same in random mechanisms, against fine fixed steps
    stops.py           stops and locks
    broken.py, commands.py, checkpoints.py             what cannot work must say so
    verdicts.py        a good verdict must be right
    shrink.py          a failing case made as small as it goes
    workers.py         cases in processes of their own: one that crashes or hangs is a finding
    table.py           the table at the end

Whatever is registered with biela (joints, forces, formulations, integrators, sets of coordinates) is drawn from its
registries and from the generators of the tests: a new one is fuzzed without a line here.
"""
