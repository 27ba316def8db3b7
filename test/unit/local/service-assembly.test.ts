import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localOptions, serviceAssembly } from '../../../local/local-options';
import { temporaryFolder } from '../../support/machine/temporary-folder';

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

  it('is made with the options of the command line, as the application gets them from cdk', async () => {
    process.env.LOCAL_ASSEMBLY = '/made/before';
    expect(localOptions(['--data-dir', '/data', '-c', 'accountRateLimit=10'])).toMatchObject({
      assembly: '/data/assembly',
      synthesize: expect.any(Function),
    });
    const folder = temporaryFolder('service-assembly');
    const [app, seen] = [join(folder, 'app.cjs'), join(folder, 'seen.json')];
    writeFileSync(app, `require('fs').writeFileSync(${JSON.stringify(seen)}, process.env.CDK_CONTEXT_JSON)`);
    await serviceAssembly(join(folder, 'assembly'), { accountRateLimit: '10' }, 'sandbox', app).synthesize?.();
    expect(JSON.parse(readFileSync(seen, 'utf8'))).toMatchObject({ accountRateLimit: '10', stage: 'sandbox' });
  });
});
