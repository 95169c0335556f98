/** Limits the time of a test that starts, and collects its soft errors. */
type TestInfo = import('./internals.cts').TestInfo;
const { plain } = require('./errors.cjs') as import('./errors.cts').ErrorsModule;

/** The exports of `test-limits.cjs`. */
export interface TestLimitsModule {
  /**
   * Limits the timeout of a test to the remaining time of the run, so that the test fails with Playwright's message
   * about its timeout before the run ends.
   *
   * @param left returns the remaining time of the run, in milliseconds
   */
  limitTime: (info: TestInfo, left: () => number) => void;
  /**
   * Collects the errors of `expect.soft`. When a test has ended, they can't be distinguished from its other errors.
   *
   * @param soft receives the messages of the errors
   */
  collectSoftErrors: (info: TestInfo, soft: Set<string>) => void;
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

const collectSoftErrors: TestLimitsModule['collectSoftErrors'] = (info, soft) => {
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

module.exports = { limitTime, collectSoftErrors } satisfies TestLimitsModule;
