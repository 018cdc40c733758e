function on_tool_call(ctx) {
    const kept = [];
    for (const asked of ctx.tool_calls) {
        if (asked.name === "shell" && asked.arguments.command.includes("rm -rf")) {
            return { action: "cancel", reason: "no recursive deletion" };
        }
        if (asked.arguments.lines <= 1000) kept.push(asked);
    }
    return kept.length === ctx.tool_calls.length ? true : { action: "modify", value: kept };
}
