import { indented } from './samples/call.ts';

/**
 * The body of an invalid request, with an empty name and an unknown status. The documentation shows it with the error
 * response. A test sends the request and compares the response.
 */
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
