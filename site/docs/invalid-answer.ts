import { indented } from './samples/call.ts';

/** What an incident without a name, and of an unknown status, is answered with; a test sends it. */
export const INVALID_REQUEST = { name: '', status: 'broken', body: 'We are looking into it.', components: {} };

export const INVALID_ANSWER = indented({
  code: 422,
  status: 'Unprocessable Entity',
  message: 'The request is invalid.',
  errors: {
    json: {
      name: ['Must not be empty.'],
      status: [
        'Must be one of: investigating, identified, monitoring, resolved, scheduled, in_progress, verifying, completed.',
      ],
    },
  },
});
