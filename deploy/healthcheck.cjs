/** Exits with 0 if the process of this container is ready. HEALTHCHECK uses this file, because the image has no curl. */
const port = process.env.PORT || '3000';

fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(4_000) }).then(
  async (answer) => {
    if (!answer.ok) console.error(await answer.text());
    process.exit(answer.ok ? 0 : 1);
  },
  (error) => {
    console.error(error.message);
    process.exit(1);
  },
);
