// Everything works without this script.
document.documentElement.dataset['script'] = 'on';
