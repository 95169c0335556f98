import type { LinksWords } from '../../words/account/links.ts';

export const links: LinksWords = {
  invitationTitle: 'Accept the invitation',
  invitationText: 'Choose a password to join:',
  resetTitle: 'Set a new password',
  resetText: 'You will be signed out everywhere. For your account at:',
  accept: 'Accept',
  setPassword: 'Set password',
  set: 'Your password is set',
  setText: 'Sign in with it now.',
  toSignIn: 'Go to sign-in',
  accepted: {
    title: 'This invitation was accepted',
    text: 'You can sign in with your e-mail address and your password.',
  },
  superseded: {
    title: 'A newer invitation was sent',
    text: 'Use the link in the most recent message.',
  },
  gone: {
    title: 'This link does not work',
    text: 'It has been used, has expired or is incomplete. Ask for a new one.',
  },
  forgottenTitle: 'Forgotten password',
  forgottenText: 'Enter your e-mail address. You get a link to set a new password. It works for an hour.',
  sendLink: 'Send the link',
  sent: 'If somebody with this e-mail address can sign in here, a link is on its way.',
  notArrived: 'No message? This service may not send e-mail. Ask its operator to create a link:',
  command: 'Command on the server',
};
