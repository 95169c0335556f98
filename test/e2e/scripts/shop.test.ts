import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { createCheck, type CheckClient, type ShownResult } from '../checking.ts';
import { requestRun, waitForOutcome } from '../polling.ts';
import { callApiExpecting, endPrograms, serve, uptrail, type RunningProgram } from '../program.ts';
import { readPng } from './png.ts';
import { whyNoScripts } from './sandboxed.ts';
import { createSecret, type SecretClient } from './secrets.ts';
import { CUSTOMER } from './shop-faults.ts';
import { BAR_COLOUR } from './shop-pages.ts';
import { BUYING, BUYING_STEPS, STOCKING, STOCKING_STEPS } from './shop-scripts.ts';
import { startShop, type Shop } from './shop.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** The default window size of pages. */
const WINDOW = { width: 1_280, height: 720 };
/**
 * Timeouts of the checks, in seconds. They have the maximum allowed value because test machines are busy. The steps of
 * the scripts have shorter time limits.
 */
const TIMEOUT = { synthetic: 120, multistep: 30 };
/** Time limit for the outcome of a run, in seconds. The first run of a type includes the start of sandboxes. */
const SOON = 180;
const MASK = '********';

const test = suite('scripts of checks of a web shop');
test.after.each(endPrograms);

const missing = await whyNoScripts();
for (const why of missing) console.log(`skipped: ${why}`);

interface ShownFile {
  contentType: string;
  name: string;
  url: string;
}
/** The fields of script results that these tests use. */
interface ScriptMetadata {
  logs: { message: string }[];
  test_results: {
    name: string;
    status: string;
    steps: { name: string; status: string }[];
    browser_metadata?: { screenshots: ShownFile[] };
  }[];
  test_summary: { failed: number; passed: number; total: number };
}

/** Runs a check immediately, and reads its result. */
const runNow = async (
  program: RunningProgram,
  check: CheckClient,
): Promise<ShownResult & { metadata: ScriptMetadata }> => {
  const job = await waitForOutcome(
    program,
    ADMIN_API_KEY,
    await requestRun(program, ADMIN_API_KEY, `${check.path}/execute`),
    SOON,
  );
  assert.is(job.status, 'completed', job.error_message ?? '');
  const { results } = await callApiExpecting<{ results: ShownResult[] }>(
    program,
    ADMIN_API_KEY,
    200,
    'GET',
    `/v1/checks/all-results?result_id=${job.result?.result_id ?? ''}`,
  );
  const [result] = results;
  if (!result) throw new Error('The run has no result.');
  // The job reports the same outcome, but with other status names.
  assert.is(job.result?.status, result.status === 'ok' ? 'ok' : 'failed');
  return { ...result, metadata: result.check_metadata as unknown as ScriptMetadata };
};

/** Opens a screenshot by its link, without an API key. */
const openPicture = async (program: RunningProgram, { url, contentType }: ShownFile) => {
  assert.is(contentType, 'image/png');
  const response = await fetch(new URL(url, program.address));
  assert.is(response.status, 200);
  assert.is(response.headers.get('content-type'), 'image/png');
  return readPng(Buffer.from(await response.arrayBuffer()));
};

/** Asserts that a screenshot shows a page of the shop and is not blank. */
const showsTheShop = async (program: RunningProgram, file: ShownFile | undefined): Promise<void> => {
  if (!file) throw new Error('There is no picture.');
  const picture = await openPicture(program, file);
  assert.equal({ width: picture.width, height: picture.height }, WINDOW);
  assert.is(picture.at(2, 2), BAR_COLOUR, file.name);
  assert.ok(picture.colours > 3, `${file.name} has ${picture.colours} colours`);
};

interface Breakage {
  name: string;
  break: () => Promise<void> | void;
  /** the step that the error message must name, and a pattern that the message must match */
  step: string;
  says: RegExp;
  /** whether a page was open at the failure, so that there is a screenshot */
  pictured?: boolean;
}

/**
 * For each breakage, asserts that the check goes down with an error message that names the step, and comes up after the
 * repair.
 *
 * @param allSteps the steps of each test that can fail, in order
 */
const follow = async (
  program: RunningProgram,
  check: CheckClient,
  allSteps: readonly (readonly string[])[],
  breakages: readonly Breakage[],
  mend: () => Promise<void>,
): Promise<void> => {
  for (const { name, break: breakIt, step, says, pictured = false } of breakages) {
    await breakIt();
    const { status, error_message, metadata } = await runNow(program, check);
    const sentence = error_message ?? 'nothing';
    assert.is(status, 'error', name);
    assert.ok(sentence.includes(`"${step}"`), `${name}: ${sentence}`);
    assert.match(sentence, says, name);
    assert.not.match(sentence, /\u001b\[/, name);
    await check.reaches('down', SOON);
    const failed = metadata.test_results.find((one) => one.status === 'failed');
    const steps = allSteps.find((some) => some.includes(step)) ?? [];
    const place = steps.indexOf(step);
    assert.equal(
      failed?.steps.filter((one) => steps.includes(one.name)).map((one) => [one.name, one.status]),
      steps.slice(0, place + 1).map((one, index) => [one, index < place ? 'passed' : 'failed']),
      name,
    );
    const [picture] = failed?.browser_metadata?.screenshots ?? [];
    if (pictured) await showsTheShop(program, picture);

    await mend();
    assert.is((await runNow(program, check)).error_message, null, `${name} is mended`);
    await check.reaches('up', SOON);
  }
};

/** Creates the two secrets for the sign-in, and their bindings. */
const createAccount = async (program: RunningProgram): Promise<{ password: SecretClient; bindings: object[] }> => {
  const email = await createSecret(program, ADMIN_API_KEY, 'shop-email', CUSTOMER.email);
  const password = await createSecret(program, ADMIN_API_KEY, 'shop-password', CUSTOMER.password);
  return {
    password,
    bindings: [
      { secret_id: email.id, env_variable: 'SHOP_EMAIL' },
      { secret_id: password.id, env_variable: 'SHOP_PASSWORD' },
    ],
  };
};

const buysInTheShop = async (program: RunningProgram, shop: Shop): Promise<void> => {
  const { password, bindings } = await createAccount(program);
  const check = await createCheck(program, ADMIN_API_KEY, {
    name: 'Checkout',
    type: 'synthetic',
    url: `${shop.url}/`,
    interval: 3_600,
    timeout: TIMEOUT.synthetic,
    parameters: { pw_script: BUYING },
    secrets: bindings,
  });
  assert.is(check.statusAtFirst, 'pending');
  await check.reaches('up', SOON);
  const [first] = await check.results();
  const { test_results, test_summary, logs } = first?.check_metadata as unknown as ScriptMetadata;
  assert.equal(test_summary, { failed: 0, passed: 1, total: 1 });
  assert.equal(
    logs.map(({ message }) => message),
    [`signing in with ${MASK}`],
  );
  const taken = test_results[0]?.browser_metadata?.screenshots.find(({ name }) => name === 'thanks.png');
  await showsTheShop(program, taken);
  assert.ok(shop.orders() > 0);

  const mend = async (): Promise<void> => {
    shop.break({});
    await password.change(CUSTOMER.password);
  };
  const breakages: Breakage[] = [
    {
      name: '500 on checkout',
      break: () => {
        shop.break({ checkoutFails: true });
      },
      step: 'check out',
      says: /Thank you.*Internal Server Error/s,
      pictured: true,
    },
    {
      name: 'button renamed',
      break: () => {
        shop.break({ buttonRenamed: true });
      },
      step: 'check out',
      says: /12 s.*Buy now/s,
      pictured: true,
    },
    {
      name: 'slow page',
      break: () => {
        shop.break({ slow: 60_000 });
      },
      step: 'open the shop',
      says: /page\.goto.*12 s/s,
    },
    {
      name: 'wrong password',
      break: () => password.change('a wrong password'),
      step: 'sign in',
      says: /Hello, Ida/,
      pictured: true,
    },
  ];
  await follow(program, check, BUYING_STEPS, breakages, mend);
  await keepsToItself(program, check, ['a wrong password', CUSTOMER.password]);
};

const keepsTheStock = async (program: RunningProgram, shop: Shop): Promise<void> => {
  const { password, bindings } = await createAccount(program);
  const check = await createCheck(program, ADMIN_API_KEY, {
    name: 'Stock',
    type: 'multistep',
    url: shop.url,
    interval: 3_600,
    timeout: TIMEOUT.multistep,
    active: false,
    parameters: { pw_script: STOCKING },
  });
  for (const binding of bindings)
    await callApiExpecting(program, ADMIN_API_KEY, 201, 'POST', `${check.path}/secrets`, binding);
  const bound = await callApiExpecting<{ env_variable: string; secret: { secret_name: string } }[]>(
    program,
    ADMIN_API_KEY,
    200,
    'GET',
    `${check.path}/secrets`,
  );
  assert.equal(bound.map(({ env_variable }) => env_variable).sort(), ['SHOP_EMAIL', 'SHOP_PASSWORD']);
  await callApiExpecting(program, ADMIN_API_KEY, 200, 'PATCH', check.path, { active: true });
  await check.reaches('up', SOON);
  const [first] = await check.results();
  assert.equal((first?.check_metadata as unknown as ScriptMetadata).test_summary.passed, 2);
  assert.equal(shop.goods().includes('Vase'), false);

  const mend = async (): Promise<void> => {
    shop.break({});
    await password.change(CUSTOMER.password);
  };
  const breakages: Breakage[] = [
    {
      name: 'changing fails',
      break: () => {
        shop.break({ changingFails: true });
      },
      step: 'change its price',
      says: /status of changing.*200.*500/s,
    },
    {
      name: 'wrong password',
      break: () => password.change('a wrong password'),
      step: 'sign in at the API',
      says: /status of signing in.*200.*401/s,
    },
  ];
  await follow(program, check, STOCKING_STEPS, breakages, mend);
  await keepsToItself(program, check, ['a wrong password', CUSTOMER.password]);
};

/**
 * Asserts that these values occur neither in any readable field of a check, its results or its history, nor in the
 * output of the program.
 */
const keepsToItself = async (program: RunningProgram, check: CheckClient, values: readonly string[]): Promise<void> => {
  const shown = [
    JSON.stringify(await check.results()),
    JSON.stringify(await callApiExpecting(program, ADMIN_API_KEY, 200, 'GET', check.path)),
    JSON.stringify(await callApiExpecting(program, ADMIN_API_KEY, 200, 'GET', '/v1/audit?per_page=100')),
    JSON.stringify(await callApiExpecting(program, ADMIN_API_KEY, 200, 'GET', '/v1/checks/jobs?per_page=100')),
    program.output.stdout,
    program.output.stderr,
  ];
  for (const text of shown)
    for (const value of values) assert.not.ok(text.includes(value), `“${value}” stands in ${text.slice(0, 200)}`);
};

const kinds = [
  {
    name: 'a synthetic check buys from a web shop, and reports each fault with its step and a picture',
    visit: buysInTheShop,
  },
  { name: 'a multistep check uses the API of a web shop, and reports each fault with its step', visit: keepsTheStock },
];

for (const { name, visit } of kinds) {
  const body = inTemporaryFolder(async (folder) => {
    const DATA_DIR = `${folder}/data`;
    const shop = await startShop();
    try {
      const program = await serve({ DATA_DIR, ADMIN_API_KEY });
      await visit(program, shop);
      for (const log of ['main', 'results']) {
        const { code, stdout, stderr } = await uptrail({ DATA_DIR, ADMIN_API_KEY }, 'replay', '--log', log);
        assert.is(code, 0, stderr);
        assert.not.ok(stdout.includes(CUSTOMER.password), `the ${log} log contains no password`);
      }
      assert.is((await program.end('SIGTERM')).code, 0);
    } finally {
      await shop.close();
    }
  });
  if (missing.length > 0) test.skip(name, body);
  else test(name, body);
}

test.run();
