// The client of upc-language-server: starts it for UPC, hands it the settings, says what to do if it is missing.
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
    const known = workspace.getConfiguration("upc");
    const names = ["arguments", "compileCommands", "remarks", "runCompiler", "debounce"];
    return Object.fromEntries(names.map((name) => [name, known.get(name)]));
}

async function start() {
    const command = workspace.getConfiguration("upc").get("serverPath");
    client = new LanguageClient("upc", "UPC", { command, args: ["--stdio"] }, {
        documentSelector: [{ scheme: "file", language: "upc" }],
        initializationOptions: { upc: settings() },
        synchronize: { fileEvents: workspace.createFileSystemWatcher("**/compile_commands.json") },
    });
    try {
        await client.start();
    } catch (error) {
        window.showErrorMessage(`${command} cannot be started (${error.message ?? error}). It comes with Banyan; ` +
            "put it in PATH, or its path into the setting upc.serverPath.");
    }
}

async function stop() {
    const running = client;
    client = undefined;
    if (running && running.isRunning())
        await running.stop();
}

async function restart() {
    await stop();
    await start();
}

async function activate(context) {
    context.subscriptions.push(commands.registerCommand("upc.restart", restart));
    context.subscriptions.push(workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("upc.serverPath"))
            return restart();
        if (event.affectsConfiguration("upc") && client)
            return client.sendNotification("workspace/didChangeConfiguration", { settings: { upc: settings() } });
    }));
    await start();
}

module.exports = { activate, deactivate: stop };
