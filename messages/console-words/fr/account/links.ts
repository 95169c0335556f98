import type { LinksWords } from '../../words/account/links.ts';

export const links: LinksWords = {
  invitationTitle: 'Accepter l’invitation',
  invitationText: 'Choisissez un mot de passe pour rejoindre :',
  resetTitle: 'Définir un nouveau mot de passe',
  resetText: 'Vous serez déconnecté partout. Pour votre compte chez :',
  accept: 'Accepter',
  setPassword: 'Définir le mot de passe',
  set: 'Votre mot de passe est défini',
  setText: 'Connectez-vous maintenant.',
  toSignIn: 'Vers la connexion',
  accepted: {
    title: 'Cette invitation a été acceptée',
    text: 'Vous pouvez vous connecter avec votre adresse et votre mot de passe.',
  },
  superseded: {
    title: 'Une invitation plus récente a été envoyée',
    text: 'Utilisez le lien du message le plus récent.',
  },
  gone: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il a été utilisé, a expiré ou est incomplet. Demandez-en un autre.',
  },
  forgottenTitle: 'Mot de passe oublié',
  forgottenText:
    'Saisissez votre adresse. Vous recevrez un lien, valable une heure, pour définir un nouveau mot de passe.',
  sendLink: 'Envoyer le lien',
  sent: 'Si quelqu’un avec cette adresse peut se connecter ici, un lien est en route.',
  notArrived: 'Rien n’arrive ? Le service n’envoie peut-être pas d’e-mails. Demandez un lien à qui l’exploite :',
  command: 'Commande sur le serveur',
};
