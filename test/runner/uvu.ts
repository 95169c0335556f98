import { exec, suite as uvuSuite } from 'uvu';

/**
 * Replaces uvu in tests (build.cjs). Declares only tests whose titles contain the words of `npm test -- … -t <words>`,
 * and reports the title of each test that starts to the parent process.
 */
export { exec };

type Suite = typeof uvuSuite;
type Test<Context> = ReturnType<typeof uvuSuite<Context>>;

const WORDS = (process.env['TEST_TITLE'] ?? '').toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Reports the title of the test that starts to the parent process, which uses the title in its message if the test
 * never ends.
 */
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
      // A suite without selected tests is not run, because its setup would be wasted.
      if (declared > 0 || WORDS.length === 0) inner.run();
      declared = 0;
    },
  });
};

export const test = suite();
