import { exec, suite as uvuSuite } from 'uvu';

/**
 * uvu, as imported by the tests (build.cjs): declares only tests whose titles contain the requested words (`npm test --
 * … -t <words>`), and reports which one starts to the process that runs them.
 */
export { exec };

type Suite = typeof uvuSuite;
type Test<Context> = ReturnType<typeof uvuSuite<Context>>;

const WORDS = (process.env['TEST_TITLE'] ?? '').toLowerCase().split(/\s+/).filter(Boolean);

/** Reports which test starts, so that one that never ends can be named. */
const begins = (title: string): void => {
  if (process.env['TEST_SHARED'] !== undefined) process.send?.({ begins: title });
};

export const suite: Suite = <Context>(name = '', state?: Context): Test<Context> => {
  const inner = uvuSuite<Context>(name, state);
  let declared = 0;
  const declaring =
    (declare: Test<Context>['only']): Test<Context>['only'] =>
    (title, handler) => {
      const whole = `${name} ${title}`.toLowerCase();
      if (!WORDS.every((word) => whole.includes(word))) return;
      declared++;
      declare(title, (context) => {
        begins(`${name} ${title}`.trim());
        return handler(context);
      });
    };
  return Object.assign(declaring(inner), {
    before: inner.before,
    after: inner.after,
    skip: (): void => {
      inner.skip();
    },
    only: declaring((title, handler) => {
      inner.only(title, handler);
    }),
    run: (): void => {
      // Without a test, its setup would run for nothing.
      if (declared > 0 || WORDS.length === 0) inner.run();
      declared = 0;
    },
  });
};

export const test = suite();
