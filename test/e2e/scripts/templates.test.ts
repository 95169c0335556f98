import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHECK_TEMPLATES } from '../../../domain/check/templates/index.ts';
import type { CheckTemplate } from '../../../domain/check/templates/template.ts';
import type { ScriptKind } from '../../../probes/script/protocol.ts';
import { startPages, type ServedPage } from './pages.ts';
import { readPng } from './png.ts';
import { openSandboxed, whyNoScripts } from './sandboxed.ts';
import type { ScriptRun } from './script-run.ts';
import { API_TOKEN, CUSTOMER, type Faults } from './shop-faults.ts';
import { startShop } from './shop.ts';

/** Runs the scripts of templates, as they are published, against a working target and a broken one. */
const test = suite('templates of checks');

const missing = await whyNoScripts();
for (const why of missing) console.log(`skipped: ${why}`);
const specify = (name: string, body: () => Promise<void> | void): void => {
  if (missing.length === 0) test(name, body);
  else test.skip(name, body);
};

const scripts = missing.length === 0 ? await openSandboxed() : null;
const pages = await startPages();
const shop = await startShop();
test.before.each(() => {
  shop.break({});
});
test.after(async () => {
  await scripts?.close();
  await pages.close();
  await shop.close();
});

const covered = new Set<string>();

const scriptOf = ({ id, definition }: CheckTemplate, constants: Record<string, string>): string =>
  Object.entries(constants).reduce((script, [name, value]) => {
    const changed = script.replace(new RegExp(`^const ${name} = .*;$`, 'm'), `const ${name} = ${value};`);
    assert.is.not(changed, script, `${id} has a line for ${name}`);
    return changed;
  }, String(definition.parameters['pw_script']));

/** Runs the script of a template, with some constants changed as a user would. */
const run = async (
  name: string,
  url: string,
  env: Record<string, string> = {},
  constants: Record<string, string> = {},
): Promise<ScriptRun> => {
  const template = CHECK_TEMPLATES.find(({ definition }) => definition.name === name);
  if (!template) throw new Error(`There is no template "${name}".`);
  covered.add(name);
  assert.equal(Object.keys(env), template.requires_secrets);
  const { type, timeout } = template.definition;
  if (!scripts) throw new Error('Scripts are not run here.');
  return scripts.run(type as ScriptKind, scriptOf(template, constants), { env, url, timeout: timeout * 1_000 });
};

const isWell = ({ status, error_message }: ScriptRun): void => {
  assert.equal([error_message, status], [null, 'ok']);
};

/** Asserts that the error message names the problem and the step in which it occurs. */
const says = ({ status, error_message }: ScriptRun, step: string, wrong: RegExp): void => {
  assert.is(status, 'error');
  assert.ok(error_message?.includes(step), error_message ?? 'nothing');
  assert.match(error_message ?? '', wrong);
};

const EXAMPLE = '<title>Example Domain</title><body><h1>Example Domain</h1><p>For use in examples.</p></body>';
const example = (change: Partial<ServedPage> = {}): string => pages.serve({ html: EXAMPLE, ...change });

specify(
  'the template for opening a page accepts a page, but neither an error response nor a page whose script fails',
  async () => {
    isWell(await run('Page opens', example()));
    says(
      await run('Page opens', example({ status: 503 })),
      'the server responds without an error',
      /status of the page.*503/s,
    );
    const broken = pages.serve({ html: `${EXAMPLE}<script>throw new Error('the menu is broken')</script>` });
    says(await run('Page opens', broken), 'no script of the page throws', /the menu is broken/);
  },
);

specify('the template for a page title reports a wrong title', async () => {
  isWell(await run('Page title', example()));
  says(await run('Page title', example({ html: '<title>For sale</title>' })), 'check the title', /For sale/);
});

specify('the template for text on a page reports missing text and unwanted error messages', async () => {
  isWell(await run('Text on a page', example()));
  const failed = example({ html: '<body><h1>internal server error</h1><p hidden>Example Domain</p></body>' });
  const reported = await run('Text on a page', failed);
  says(reported, 'see "Example Domain"', /Example Domain/);
  const steps = reported.check_metadata.test_results.flatMap((one) => one.steps);
  assert.equal(
    steps.filter(({ name }) => / see |^see |^open /.test(name)).map(({ name, status }) => [name, status]),
    [
      ['open the page', 'passed'],
      ['see "Example Domain"', 'failed'],
      ['do not see "Internal Server Error"', 'failed'],
      ['do not see "Fatal error"', 'passed'],
    ],
  );
});

specify('the template for screenshots takes a screenshot of each window in its width', async () => {
  const { pictures, ...told } = await run('Screenshots of a page', `${shop.url}/`);
  isWell({ pictures, ...told });
  const widths = [...pictures].map(([name, png]) => [name, readPng(png).width]);
  assert.equal(widths.sort(), [
    ['desktop.png', 1_280],
    ['phone.png', 390],
  ]);
  for (const png of pictures.values()) assert.ok(readPng(png).colours > 3);
  says(await run('Screenshots of a page', example({ status: 404 })), 'desktop', /whether the page was found/);
});

specify('the template for page speed measures all figures, and reports a figure above its limit', async () => {
  // These limits suffice on any machine.
  const LIMITS = '{ TTFB: 60000, FCP: 60000, LCP: 60000 }';
  const well = await run('Page speed', `${shop.url}/`, {}, { LIMITS });
  isWell(well);
  assert.match(well.check_metadata.logs[0]?.message ?? '', /\{"TTFB":\d+,"FCP":\d+,"LCP":\d+\}/);
  says(await run('Page speed', example({ after: 1_000 })), 'TTFB is at most 800 ms', /TTFB in milliseconds/);
  const empty = pages.serve({ html: '<title>Nothing</title>' });
  says(await run('Page speed', empty, {}, { LIMITS }), 'FCP is at most', /FCP was measured/);
});

specify(
  'the template for a login form reports a failed sign-in, with a wrong password and without a password',
  async () => {
    const account = { LOGIN_EMAIL: CUSTOMER.email, LOGIN_PASSWORD: CUSTOMER.password };
    isWell(await run('Login form', shop.url, account));
    says(await run('Login form', shop.url, { ...account, LOGIN_PASSWORD: 'wrong' }), 'be signed in', /Sign out/);
    says(await run('Login form', shop.url, { ...account, LOGIN_PASSWORD: '' }), 'check the secrets', /LOGIN_PASSWORD/);
  },
);

specify('the template for a search names the results that are missing', async () => {
  isWell(await run('Search', shop.url));
  shop.break({ searchEmpty: true });
  says(await run('Search', shop.url), 'find "Desk lamp"', /Desk lamp/);
});

specify(
  'the template for broken images names images that cannot be loaded, and reports a page without images',
  async () => {
    isWell(await run('Broken images', shop.url));
    shop.break({ imageMissing: true });
    says(await run('Broken images', shop.url), 'none of them is broken', /\/images\/1\.svg/);
    says(await run('Broken images', example()), 'there are images', /images on the page/);
  },
);

const later = (milliseconds: number, script: string): string =>
  pages.serve({
    html: `<body><p class="loading">Please wait</p><div id="content"></div>
      <script>setTimeout(() => { ${script} }, ${milliseconds})</script></body>`,
  });
const FILL = `document.querySelector('#content').textContent = 'Here it is';`;
const CLEAR = `document.querySelector('.loading').remove();`;

specify(
  'the template for waiting for content reports content that does not appear, and a placeholder that does not disappear',
  async () => {
    const well = await run('Waiting for content', later(300, FILL + CLEAR));
    isWell(well);
    assert.match(well.check_metadata.logs[0]?.message ?? '', /^the content appeared after \d+ ms$/);
    const never = await run('Waiting for content', later(0, CLEAR), {}, { WITHIN: '1_000' });
    says(never, 'wait for the content', /#content/);
    says(await run('Waiting for content', later(0, FILL)), 'the placeholder is gone', /\.loading/);
  },
);

const CRUD = 'the template for an API creates, reads, updates and deletes';

specify('the template for an API names the failing step, and deletes everything that it created', async () => {
  const before = shop.goods();
  isWell(await run(CRUD, shop.url, { API_TOKEN }));
  const broken: Partial<Faults> = { changingFails: true };
  shop.break(broken);
  says(await run(CRUD, shop.url, { API_TOKEN }), 'update', /status of PATCH.*500/s);
  says(await run(CRUD, shop.url, { API_TOKEN: 'wrong' }), 'create', /status of POST.*401/s);
  assert.equal(shop.goods(), before);
});

specify('the template for an API token reports a wrong password, and a token that expires too soon', async () => {
  const account = { API_EMAIL: CUSTOMER.email, API_PASSWORD: CUSTOMER.password };
  isWell(await run('API: token', shop.url, account));
  says(await run('API: token', shop.url, { ...account, API_PASSWORD: 'wrong' }), 'sign in', /signing in.*401/s);
  const long = await run('API: token', shop.url, account, { VALID_FOR: '3_600' });
  says(long, 'check the token', /the validity in seconds/);
});

specify('all templates with scripts are tested', () => {
  const scripts = CHECK_TEMPLATES.filter(({ definition }) => definition.parameters['pw_script'] !== undefined);
  assert.equal([...covered].sort(), scripts.map(({ name }) => name).sort());
});

test.run();
