/** Node as it is: each suite gets back the environment variables, console and directory that the worker began with. */
class BareEnvironment {
  global = globalThis;
  before = { env: { ...process.env }, cwd: process.cwd(), console: globalThis.console, exit: process.exit };

  async setup() {}

  async teardown() {
    const { env, cwd, console, exit } = this.before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.chdir(cwd);
    globalThis.console = console;
    process.exit = exit;
  }

  exportConditions() {
    return ['node', 'require'];
  }

  getVmContext() {
    return null;
  }
}

module.exports = BareEnvironment;
