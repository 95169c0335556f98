import { IDEMPOTENCY_KEY, type Call } from './call.ts';

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a JSON value as a Python literal. Short values are on one line. */
const literal = (value: unknown, indent = ''): string => {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  // JSON strings are valid Python literals, because Python has the same escape sequences.
  if (!Array.isArray(value) && !isFields(value)) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = (inner: string): string[] =>
    Array.isArray(value)
      ? value.map((one) => literal(one, inner))
      : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one, inner)}`);
  const short = `${open ?? ''}${parts(indent).join(', ')}${close ?? ''}`;
  if (short.length <= 60 && !short.includes('\n')) return short;
  const inner = `${indent}    `;
  return `${open ?? ''}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indent}${close ?? ''}`;
};

/** Returns the call as a Python program that uses only the standard library. */
export const python = ({ method, path, credential, body, text, idempotencyKey, json, stream }: Call): string => {
  const headers = [
    ...(credential === 'KEY' ? ['"Authorization": os.environ["KEY"]'] : []),
    ...(credential === 'TOKEN' ? ['"Authorization": "Bearer " + os.environ["TOKEN"]'] : []),
    ...(idempotencyKey ? [`"Idempotency-Key": ${JSON.stringify(IDEMPOTENCY_KEY)}`] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
    ...(text ? [`"Content-Type": ${JSON.stringify(text.type)}`] : []),
  ];
  const given = [
    `os.environ["UPTRAIL"] + ${JSON.stringify(path)}`,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(body === undefined ? [] : [`data=json.dumps(${literal(body, '    ')}).encode()`]),
    ...(text ? [`data=${JSON.stringify(text.content)}.encode()`] : []),
  ].map((one) => `    ${one},\n`);
  const modules = json || body !== undefined ? 'json, os, urllib.request' : 'os, urllib.request';
  const shown = stream
    ? 'for line in response:\n        print(line.decode(), end="")'
    : `print(response.status${json ? ', json.load(response)' : ''})`;
  return `import ${modules}

request = urllib.request.Request(
${given.join('')})
with urllib.request.urlopen(request) as response:
    ${shown}`;
};
