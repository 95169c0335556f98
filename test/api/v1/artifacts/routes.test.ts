import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { artifactLink, ARTIFACT_LINK } from '../../../../api/v1/artifacts/link.ts';
import { signedToken, type Mac } from '../../../../domain/signed-token.ts';
import { instantOf } from '../../../../domain/time.ts';
import type { Artifact, ArtifactHead } from '../../../../stores/artifacts/port.ts';
import { artifactHead, pieces, someBytes } from '../../../contracts/artifacts/examples.ts';
import { startService } from '../../service.ts';

const service = await startService();
const { artifacts, keys, first, second, time, port } = service;
const mac: Mac = (kind, text) => keys.fingerprint(kind, text);

const test = suite('GET /v1/artifacts/{artifact_id}');
const CONTENT = someBytes(500_000);
const replies: Response[] = [];
test.after(async () => {
  // A connection stays open until the body of its response was read or cancelled.
  for (const reply of replies) if (!reply.bodyUsed) await reply.body?.cancel();
  await service.stop();
});

const stored = (given: Partial<ArtifactHead> = {}, content = CONTENT): Promise<Artifact> =>
  artifacts.store(artifactHead({ organization_id: first.id, ...given }), pieces(content));

const get = async (link: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> => {
  const reply = await fetch(`http://127.0.0.1:${port}${link}`, { method, headers });
  replies.push(reply);
  return reply;
};
const linkTo = (artifact: Artifact): Promise<string> => artifactLink(artifact, instantOf(time.now), mac);
const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

test('an artifact is opened by its link without a key', async () => {
  const artifact = await stored({ name: 'żółć.png' });
  const reply = await get(await linkTo(artifact));
  assert.is(reply.status, 200);
  assert.equal(await bytesOf(reply), CONTENT);
  const { headers } = reply;
  assert.is(headers.get('content-type'), 'image/png');
  assert.is(headers.get('content-length'), '500000');
  assert.is(
    headers.get('content-disposition'),
    `inline; filename="____.png"; filename*=UTF-8''%C5%BC%C3%B3%C5%82%C4%87.png`,
  );
  assert.is(headers.get('x-content-type-options'), 'nosniff');
  assert.is(headers.get('cache-control'), 'private, no-cache');
  assert.is(headers.get('referrer-policy'), 'no-referrer');
  assert.is(headers.get('accept-ranges'), 'bytes');
  assert.is(headers.get('etag'), `"${artifact.sha256}"`);
});

test('an artifact is shown in a sandbox, and executable types are downloaded', async () => {
  for (const [media_type, kind] of [
    ['text/html; charset=utf-8', 'attachment'],
    ['image/svg+xml', 'attachment'],
    ['application/pdf', 'attachment'],
    ['application/x-unheard-of', 'attachment'],
    ['text/plain; charset=utf-8', 'inline'],
    ['video/webm', 'inline'],
  ] as const) {
    const { headers } = await get(await linkTo(await stored({ media_type }, someBytes(10))));
    assert.is(headers.get('content-type'), media_type);
    assert.match(headers.get('content-disposition') ?? '', new RegExp(`^${kind}; `));
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /(^|;)sandbox(;|$)/);
    assert.match(policy, "default-src 'none'");
    assert.not.match(policy, /script-src|allow-/);
  }
});

test('an artifact is sent regardless of the Accept header', async () => {
  const link = await linkTo(await stored({}, someBytes(10)));
  for (const accept of ['image/png', 'text/html', 'image/avif,image/webp,*/*;q=0.8', '*/*']) {
    assert.is((await get(link, { accept })).status, 200, accept);
  }
});

test('an artifact supports range requests', async () => {
  const link = await linkTo(await stored());
  for (const [range, from, to] of [
    ['bytes=0-99', 0, 99],
    ['bytes=261119-261120', 261_119, 261_120],
    ['bytes=-5', 499_995, 499_999],
    ['bytes=499999-', 499_999, 499_999],
  ] as const) {
    const reply = await get(link, { range });
    assert.is(reply.status, 206);
    assert.is(reply.headers.get('content-range'), `bytes ${from}-${to}/500000`);
    assert.is(reply.headers.get('content-length'), String(to - from + 1));
    assert.equal(await bytesOf(reply), CONTENT.subarray(from, to + 1));
  }
  const several = await get(link, { range: 'bytes=0-1,5-6' });
  assert.is(several.status, 200);
  assert.is((await bytesOf(several)).length, 500_000);
});

test('a range outside an artifact is 416 with the size', async () => {
  const link = await linkTo(await stored());
  const reply = await get(link, { range: 'bytes=500000-' });
  assert.is(reply.status, 416);
  assert.is(reply.headers.get('content-range'), 'bytes */500000');
  assert.is(((await reply.json()) as { message: string }).message, 'The requested range is outside this file.');
  assert.is((await get(await linkTo(await stored({}, Buffer.alloc(0))), { range: 'bytes=0-' })).status, 416);
});

test('a range request with If-Range gets the range if the tag is that of the artifact, and otherwise the whole artifact', async () => {
  const artifact = await stored();
  const link = await linkTo(artifact);
  const range = 'bytes=10-19';
  assert.is((await get(link, { range, 'if-range': `"${artifact.sha256}"` })).status, 206);
  for (const other of ['"another"', `W/"${artifact.sha256}"`, 'Wed, 21 Oct 2026 07:28:00 GMT']) {
    const reply = await get(link, { range, 'if-range': other });
    assert.is(reply.status, 200);
    assert.is((await bytesOf(reply)).length, 500_000);
  }
});

test('an artifact is 304 for a client that already has it', async () => {
  const artifact = await stored();
  const link = await linkTo(artifact);
  for (const tag of [`"${artifact.sha256}"`, `W/"${artifact.sha256}"`, `"x", "${artifact.sha256}"`, '*']) {
    const reply = await get(link, { 'if-none-match': tag, range: 'bytes=0-1' });
    assert.is(reply.status, 304);
    assert.is((await bytesOf(reply)).length, 0);
  }
  assert.is((await get(link, { 'if-none-match': '"x"' })).status, 200);
});

test('HEAD of an artifact has the headers of GET and ignores ranges', async () => {
  const link = await linkTo(await stored());
  const reply = await get(link, { range: 'bytes=0-1' }, 'HEAD');
  assert.is(reply.status, 200);
  assert.is(reply.headers.get('content-length'), '500000');
  assert.is(reply.headers.get('content-type'), 'image/png');
  assert.is((await bytesOf(reply)).length, 0);
});

test('artifact links work for 15 to 30 minutes, and all links created within the same quarter of an hour expire together', async () => {
  const artifact = await stored();
  const link = await linkTo(artifact);
  const { now } = time;
  try {
    const quarter = 15 * 60_000;
    const end = (Math.floor(now / quarter) + 2) * quarter;
    time.now = end - quarter - 1;
    assert.is(await linkTo(artifact), link);
    time.now = end - quarter;
    assert.is.not(await linkTo(artifact), link);
    time.now = end - 1;
    assert.is((await get(link)).status, 200);
    time.now = end;
    const late = await get(link);
    assert.is(late.status, 403);
    assert.is(((await late.json()) as { message: string }).message, 'This link is invalid or has expired.');
  } finally {
    time.now = now;
  }
});

test('a changed or unsigned link, a link for another purpose, and an API key without a link do not open an artifact', async () => {
  const [one, other, foreign] = [await stored(), await stored(), await stored({ organization_id: second.id })];
  const link = await linkTo(one);
  const [path = '', token = ''] = link.split('?token=');
  const [payload = '', signature = ''] = token.split('.');
  const expiresAt = instantOf(time.now + 60_000);
  const forOther = Buffer.from(JSON.stringify([first.id, other.id, expiresAt])).toString('base64url');
  const elsewhere = { purpose: ARTIFACT_LINK, subject: foreign.id, expiresAt };
  const refusals: string[] = [];
  for (const wrong of [
    path,
    `${path}?token=`,
    `${path}?token=${payload}.`,
    `${path}?token=${payload}`,
    `${path}?token=.${signature}`,
    `${path}?token=${payload}.${signature}x`,
    `${path}?token=${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    `/v1/artifacts/${other.id}?token=${forOther}.${signature}`,
    `${path}?token=${await signedToken({ ...elsewhere, purpose: 'unsubscribe', organizationId: first.id, subject: one.id }, mac)}`,
    `${path}?token=${'x'.repeat(5_000)}.${'y'.repeat(5_000)}`,
  ]) {
    const reply = await get(wrong, { authorization: first.keys.admin });
    assert.is(reply.status, 403, wrong);
    refusals.push(await reply.text());
  }
  assert.is(new Set(refusals).size, 1);
  // These links are signed for another file than the one in the path, or for an organization that does not own the
  // file.
  for (const lost of [
    `/v1/artifacts/${other.id}?token=${token}`,
    `/v1/artifacts/${foreign.id}?token=${await signedToken({ ...elsewhere, organizationId: first.id }, mac)}`,
  ]) {
    assert.is((await get(lost)).status, 404);
  }
});

test('a deleted artifact is 404 even with a valid link', async () => {
  const artifact = await stored();
  const link = await linkTo(artifact);
  assert.is((await get(link)).status, 200);
  await artifacts.remove(artifact.id);
  const reply = await get(link);
  assert.is(reply.status, 404);
  assert.is(((await reply.json()) as { message: string }).message, 'Not found.');
});

test('the log contains nothing that could open an artifact', async () => {
  const link = await linkTo(await stored());
  const [, token = ''] = link.split('?token=');
  service.logged.length = 0;
  await get(link);
  assert.match(service.logged.join(''), '/v1/artifacts/');
  assert.not.match(service.logged.join(''), token.slice(-20));
});

test('artifacts support no methods other than GET and HEAD', async () => {
  const link = await linkTo(await stored());
  for (const method of ['POST', 'PUT', 'DELETE']) assert.is((await get(link, {}, method)).status, 405);
});

test.run();
