exec(open('try1.py').read().split("for a in sys.argv")[0])
system=system_of('four-bar','natural'); settings=choose('lagrange','rk4',1e-3); apply(settings,system)
f,settle=functions(settings,system); s=system.arrays; s.opt[at.LOOK]=1
print(len(s.kkt_ptr), f(system.header,0.0), s.q, s.v, s.a, s.lam)
tape=Tape(); mem=Memory(tape,s,("M","mval"))
rep={**FUNCTIONS,"unpack":lambda h:h,"unpack_tree":lambda h:h,"unpack_saddle":lambda h:h}
st=in_python(f,rep)(mem.arrays,tape.input("t",0.0)); print(st, mem.arrays.a, mem.arrays.lam, mem.arrays.left_out, mem.arrays.margin[:6])
