/**
 * A program for a sandbox. After booting it reports that it is ready, and then runs the script as the body of an async
 * function, with `say` and `require`.
 */
const { Socket } = require('node:net');

const control = new Socket({ fd: 3 });
const say = (message) => {
  const content = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(content.length + 1);
  head.write('J', 4);
  return control.write(Buffer.concat([head, content]));
};

let boot = null;
const hear = async (message) => {
  if (message.type === 'boot') {
    boot = message;
    say({ type: 'ready', browser: null });
    return;
  }
  try {
    const run = new Function(
      'require',
      'say',
      'boot',
      'begin',
      'control',
      `return (async () => {${message.script}})()`,
    );
    say({ type: 'returned', value: (await run(require, say, boot, message, control)) ?? null });
  } catch (error) {
    say({ type: 'threw', code: error.code ?? null, message: error.message });
  }
};

let held = Buffer.alloc(0);
control.on('data', (chunk) => {
  held = Buffer.concat([held, chunk]);
  while (held.length >= 4 && held.length >= 4 + held.readUInt32BE()) {
    const length = held.readUInt32BE();
    const message = JSON.parse(held.subarray(5, 4 + length).toString());
    held = held.subarray(4 + length);
    void hear(message);
  }
});
// The outer process has disconnected.
control.on('close', () => process.exit(0));
