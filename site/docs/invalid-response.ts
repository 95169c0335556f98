import { indented } from './samples/call.ts';

/** A request without a name and with an unknown status, and the error response to it. A test sends it. */
export const INVALID_REQUEST = { name: '', status: 'broken', body: 'We are looking into it.', components: {} };

export const INVALID_RESPONSE = indented({
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
