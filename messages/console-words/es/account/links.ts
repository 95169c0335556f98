import type { LinksWords } from '../../words/account/links.ts';

export const links: LinksWords = {
  invitationTitle: 'Aceptar la invitación',
  invitationText: 'Elija una contraseña para unirse a:',
  resetTitle: 'Nueva contraseña',
  resetText: 'Se cerrarán todas sus sesiones. Para su cuenta en:',
  accept: 'Aceptar',
  setPassword: 'Guardar contraseña',
  set: 'Su contraseña está guardada',
  setText: 'Inicie sesión con ella.',
  toSignIn: 'Ir al inicio de sesión',
  accepted: {
    title: 'Esta invitación ya se aceptó',
    text: 'Puede iniciar sesión con su correo y su contraseña.',
  },
  superseded: {
    title: 'Se envió una invitación posterior',
    text: 'Use el enlace del mensaje más reciente.',
  },
  gone: {
    title: 'Este enlace no funciona',
    text: 'Se ha usado, ha caducado o está incompleto. Pida otro.',
  },
  forgottenTitle: 'Contraseña olvidada',
  forgottenText: 'Escriba su correo. Recibirá un enlace, válido durante una hora, para elegir una nueva contraseña.',
  sendLink: 'Enviar el enlace',
  sent: 'Si alguien con ese correo puede iniciar sesión aquí, el enlace está en camino.',
  notArrived: '¿No llega nada? Quizá el servicio no envía correos. Pida un enlace a quien lo administra:',
  command: 'Orden en el servidor',
};
