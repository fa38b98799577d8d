import biela,time,sys,numpy as np
for name,T,kw in (("double-pendulum",100,dict(coordinates='natural',formulation='penalty',integrator='rk4',step=1e-3)),("double-pendulum",100,dict(coordinates='natural')),("double-pendulum",100,dict(coordinates='relative')),("n-four-bar",20,dict(coordinates='natural',formulation='penalty',integrator='rk4',step=1e-3)),("n-four-bar",20,dict(coordinates='natural')),("bricard",10,dict(coordinates='natural')),("four-bar",10,dict(formulation='lagrange',coordinates='natural',integrator='rk4',step=1e-4))):
    out={}
    for mach in ("generic","tape"):
        biela.simulate(name,T/100,machine=mach,**kw)
        r=biela.simulate(name,T,machine=mach,**kw); out[mach]=r
        sysm=r.system; c=list(sysm.workspaces.codes.values())
        print(name,r.ran,mach,f"{r.trajectory.cpu*1e3:.1f} ms", r.trajectory.evaluations, r.trajectory.steps, r.ok, c if c and isinstance(c[0],str) else '')
    a,b=out['generic'].trajectory,out['tape'].trajectory
    k=len(a.y)//10; print('   diff', np.abs(a.y[k]-b.y[k]).max(), np.abs(a.y[-1]-b.y[-1]).max())
