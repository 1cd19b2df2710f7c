// Starts `rulebook lsp`, and lets it speak of all YAML files: those of no game it leaves alone.
const { window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async () => {
  const [command, ...args] = workspace.getConfiguration("rulebook").get("command");
  client = new LanguageClient(
    "rulebook",
    "rulebook",
    { command, args },
    {
      documentSelector: [{ scheme: "file", language: "yaml" }],
      synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{yaml,csv}") },
    },
  );
  try {
    await client.start();
  } catch {
    client = undefined;
    const install = `pip install "tabletop-rulebook[lsp]"`;
    window.showErrorMessage(`\`${command}\` does not start. Install it with ${install}, or say where it is in the setting rulebook.command.`);
  }
};

exports.deactivate = () => client?.stop();
