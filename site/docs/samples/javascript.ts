import { IDEMPOTENCY_KEY, indented, type Call } from './call.ts';

const indentedBy = (text: string, spaces: number): string => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

/** Escapes a text for a template literal. */
const inTemplate = (text: string): string => text.replace(/[`\\]|\$\{/g, '\\$&');

/** Returns the call as a module for Node.js. */
export const javascript = ({ method, path, credential, body, text, idempotencyKey, json, stream }: Call): string => {
  const headers = [
    ...(credential === 'KEY' ? ['Authorization: process.env.KEY'] : []),
    ...(credential === 'TOKEN' ? ['Authorization: `Bearer ${process.env.TOKEN}`'] : []),
    ...(idempotencyKey ? [`'Idempotency-Key': '${IDEMPOTENCY_KEY}'`] : []),
    ...(body === undefined ? [] : [`'Content-Type': 'application/json'`]),
    ...(text ? [`'Content-Type': '${text.type}'`] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indentedBy(indented(body), 2)})`]),
    ...(text ? [`body: ${JSON.stringify(text.content)}`] : []),
  ].map((option) => `  ${option},\n`);
  const address = `\`\${process.env.UPTRAIL}${inTemplate(path)}\``;
  const given = options.length === 0 ? '' : `, {\n${options.join('')}}`;
  const fetched = `const response = await fetch(${address}${given});`;
  if (stream) {
    return `${fetched}
for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text);`;
  }
  return `${fetched}
console.log(response.status${json ? ', await response.json()' : ''});`;
};
