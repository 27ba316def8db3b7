import { serviceAssembly } from '../../../local/service-assembly';

const { LOCAL_ASSEMBLY: before } = process.env;
afterEach(() => {
  if (before === undefined) delete process.env.LOCAL_ASSEMBLY;
  else process.env.LOCAL_ASSEMBLY = before;
});

describe('the assembly that a run executes', () => {
  it('is synthesized where the run keeps its data', () => {
    delete process.env.LOCAL_ASSEMBLY;
    expect(serviceAssembly('/data/assembly')).toEqual({
      assembly: '/data/assembly',
      synthesize: expect.any(Function),
    });
  });

  it('is the one that LOCAL_ASSEMBLY names, as it is', () => {
    process.env.LOCAL_ASSEMBLY = '/made/before';
    expect(serviceAssembly('/data/assembly')).toEqual({ assembly: '/made/before' });
  });

  it('is always its own where options of the deployment are given', () => {
    process.env.LOCAL_ASSEMBLY = '/made/before';
    expect(serviceAssembly('/data/assembly', { accountRateLimit: '10' })).toMatchObject({ assembly: '/data/assembly' });
  });
});
