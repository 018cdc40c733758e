function on_tool_call(ctx)
    local kept = {}
    for _, asked in ipairs(ctx.tool_calls) do
        if asked.name == "shell" and string.find(asked.arguments.command, "rm -rf", 1, true) then
            return { action = "cancel", reason = "no recursive deletion" }
        end
        if asked.arguments.lines <= 1000 then kept[#kept + 1] = asked end
    end
    if #kept == #ctx.tool_calls then return true end
    return { action = "modify", value = kept }
end
