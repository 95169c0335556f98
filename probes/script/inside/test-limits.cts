/** What is asked of a test that begins, besides running it. */
type TestInfo = import('./internals.cts').TestInfo;
const { plain } = require('./errors.cjs') as import('./errors.cts').ErrorsModule;

/** What `require('./test-limits.cjs')` gives. */
export interface TestLimitsModule {
  /**
   * No test has longer than what is left of the run, whatever it asks for: so it ends with a sentence of its own.
   *
   * @param left milliseconds
   */
  limitTime: (info: TestInfo, left: () => number) => void;
  /**
   * Errors of `expect.soft` are among the errors of a test, where nothing tells them apart.
   *
   * @param soft gets their messages
   */
  hearSoftErrors: (info: TestInfo, soft: Set<string>) => void;
}

const limitTime: TestLimitsModule['limitTime'] = (info, left) => {
  const manager = info._timeoutManager;
  const setTimeout = manager.setTimeout.bind(manager);
  const slow = manager.slow.bind(manager);
  const most = (): number => manager.defaultSlot().elapsed + left();
  manager.setTimeout = (milliseconds) => {
    setTimeout(milliseconds === 0 ? most() : Math.min(milliseconds, most()));
  };
  manager.slow = () => {
    slow();
    manager.setTimeout(info.timeout);
  };
  manager.setTimeout(info.timeout);
};

const hearSoftErrors: TestLimitsModule['hearSoftErrors'] = (info, soft) => {
  const addStep = info._addStep.bind(info);
  info._addStep = (...given) => {
    const step = addStep(...given);
    const complete = step.complete.bind(step);
    step.complete = (result) => {
      const before = info.errors.length;
      complete(result);
      if (result.softError === undefined) return;
      for (const error of info.errors.slice(before)) soft.add(plain(error.message ?? error.value ?? ''));
    };
    return step;
  };
};

module.exports = { limitTime, hearSoftErrors } satisfies TestLimitsModule;
